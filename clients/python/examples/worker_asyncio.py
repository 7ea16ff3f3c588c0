"""The same worker on asyncio."""

import asyncio
from typing import Any

from resonate_grpc import AsyncContext, AsyncWorker, Reject, unwrap

PRICES = {"apple": 30, "bread": 250, "coffee": 900}


async def total(context: AsyncContext) -> Any:
    basket = context.param["basket"]
    if not basket:
        raise Reject("nothing to add up")
    create = (context.create(f"{context.task.id}.{item}", target="any@shop", param={"item": item}) for item in basket)
    children = await asyncio.gather(*create)
    prices = await context.await_all(
        children
    )  # While one is pending, the task is suspended; this handler then runs again.
    return sum(unwrap(price) for price in prices)


async def price(context: AsyncContext) -> Any:
    return PRICES[context.param["item"]]


async def handler(context: AsyncContext) -> Any:
    print(f"working on {context.task.id}", flush=True)
    return await (total(context) if "basket" in context.param else price(context))


if __name__ == "__main__":
    asyncio.run(AsyncWorker("localhost:50051", group="shop", handler=handler).run())
