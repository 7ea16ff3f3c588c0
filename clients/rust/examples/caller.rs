//! Creates work for the group `shop`, and waits for its result through an unblock.

use std::env;
use std::error::Error;
use std::time::Duration;

use resonate_grpc::{Client, UnblockListener, Work};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut basket: Vec<String> = env::args().skip(1).collect();
    if basket.is_empty() {
        basket = ["apple", "bread", "coffee"].map(String::from).into();
    }
    // The same basket is the same work, however often this is run.
    let id = format!("rust-total-{}", basket.join("-"));
    let work = Work::new(&id)
        .target("any@shop")
        .tag("shop:kind", "total")
        .param(basket.join(" "));

    let client = Client::new("localhost:50051")?;
    let listener = UnblockListener::new(&client, "callers");
    client.create(work.timeout(Duration::from_secs(3600))).await?;
    let promise = listener.listen(&id).await?;
    println!("{id} is {}", promise.outcome()?.text()?);
    Ok(())
}
