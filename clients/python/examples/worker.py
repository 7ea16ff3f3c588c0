"""A worker of the group `shop`. It adds up the prices of a basket; each price is a task of its own, for any worker of the group."""

from typing import Any

from resonate_grpc import Context, Reject, Worker, unwrap

PRICES = {"apple": 30, "bread": 250, "coffee": 900}


def total(context: Context) -> Any:
    basket = context.param["basket"]
    if not basket:
        raise Reject("nothing to add up")
    children = [context.create(f"{context.task.id}.{item}", target="any@shop", param={"item": item}) for item in basket]
    prices = context.await_all(children)  # While one is pending, the task is suspended; this handler then runs again.
    return sum(unwrap(price) for price in prices)


def price(context: Context) -> Any:
    return PRICES[context.param["item"]]


def handler(context: Context) -> Any:
    print(f"working on {context.task.id}", flush=True)
    return total(context) if "basket" in context.param else price(context)


if __name__ == "__main__":
    Worker("localhost:50051", group="shop", handler=handler, on_hello=lambda _: print("connected", flush=True)).run()
