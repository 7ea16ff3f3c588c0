//! What the tag `conformance:do` of a promise has its handler do: see test/conformance/README.md.

use std::time::Duration;

use resonate_grpc::{HandlerResult, PromiseRecord, Reject, SettleState, TaskContext, Value, Work};
use tokio::time::sleep;

const DO: &str = "conformance:do";
const GO_INTERVAL: Duration = Duration::from_millis(50);

/// `pid` is the worker's own.
pub async fn handle(context: TaskContext, pid: String) -> HandlerResult {
    match context.tag(DO) {
        Some("echo") => Ok(context.param().clone()),
        Some("tags") => Ok(tags(&context)),
        Some("reject") => Err(Reject::new("no").into()),
        Some("fail") => fail(&context),
        Some("fan-out") => fan_out(&context).await,
        Some("sleep") => sleep_until_then(&context).await,
        Some("settle") => settle(&context).await,
        Some("hold") => hold(&context, &pid).await,
        what => Err(format!("there is no handler {what:?}").into()),
    }
}

/// The map is in the order of its keys' bytes already.
fn tags(context: &TaskContext) -> Value {
    let lines = context.promise().tags.iter().map(|(key, value)| format!("{key}={value}"));
    lines.collect::<Vec<_>>().join("\n").into()
}

fn fail(context: &TaskContext) -> HandlerResult {
    match context.task().version {
        1 => Err("the first attempt fails".into()),
        version => Ok(format!("version {version}").into()),
    }
}

async fn fan_out(context: &TaskContext) -> HandlerResult {
    let mut children = Vec::new();
    for line in context.param().text()?.split('\n') {
        let (id, target) = line.split_once(' ').ok_or("a line is `<id> <target>`")?;
        children.push(Work::new(id).target(target).tag(DO, "echo").param(id));
    }
    let created = context.create_all(children).await?;
    let settled = context.await_all(created).await?;
    let values = settled.iter().map(data).collect::<Vec<_>>();
    Ok(values.join(&b'\n').into())
}

async fn sleep_until_then(context: &TaskContext) -> HandlerResult {
    let length = Duration::from_millis(context.param().text()?.parse()?);
    let until = context.promise().created_at() + length;
    context.sleep_until(format!("{}.timer", context.id()), until).await?;
    Ok("slept".into())
}

async fn settle(context: &TaskContext) -> HandlerResult {
    let id = context.param().text()?;
    let settled = context.settle(id, SettleState::Resolved, context.id()).await?;
    Ok(data(&settled).to_vec().into())
}

async fn hold(context: &TaskContext, pid: &str) -> HandlerResult {
    let go = format!("{}.go", context.id());
    while !context.get(&go).await?.is_settled() {
        sleep(GO_INTERVAL).await;
    }
    Ok(format!("held by {pid}").into())
}

fn data(record: &PromiseRecord) -> &[u8] {
    record.value.as_ref().map_or(&[], Value::data)
}
