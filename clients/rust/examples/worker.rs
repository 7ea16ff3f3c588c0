//! A worker of the group `shop`. It adds up the prices of a basket; each price is a task of its own, for any worker of the group.

use std::error::Error;

use resonate_grpc::{Client, HandlerResult, Reject, TaskContext, Work, Worker, shutdown_signal};

async fn total(context: &TaskContext) -> HandlerResult {
    let items = context.param().text()?.split_whitespace();
    let prices = items.map(|item| {
        let id = format!("{}.{item}", context.id());
        Work::new(id).target("any@shop").tag("shop:kind", "price").param(item)
    });
    let prices = context.create_all(prices).await?;
    let mut sum = 0;
    // While one is pending, the task is suspended; this handler then runs again.
    for price in context.await_all(prices).await? {
        sum += price.outcome()?.text()?.parse::<u32>()?;
    }
    Ok(sum.to_string().into())
}

fn price(context: &TaskContext) -> HandlerResult {
    match context.param().text()? {
        "apple" => Ok("30".into()),
        "bread" => Ok("250".into()),
        "coffee" => Ok("900".into()),
        item => Err(Reject::new(format!("there is no {item}")).into()),
    }
}

async fn handle(context: TaskContext) -> HandlerResult {
    println!("working on {}", context.id());
    match context.tag("shop:kind") {
        Some("total") => total(&context).await,
        _ => price(&context),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::new("localhost:50051")?;
    let worker = Worker::new(&client, "shop", handle).on_connected(|| println!("connected"));
    Ok(worker.run_until(shutdown_signal()?).await?)
}
