"""Creates work for the group `shop`, and waits for its result through an unblock."""

import sys

from resonate_grpc import Client, UnblockListener, unwrap

if __name__ == "__main__":
    basket = sys.argv[1:] or ["apple", "bread", "coffee"]
    work = "total-" + "-".join(basket)  # The same basket is the same work, however often this is run.
    with Client("localhost:50051") as client, UnblockListener(client, group="callers") as listener:
        client.create(work, target="any@shop", param={"basket": basket}, timeout=3600)
        print(f"{work} is", unwrap(listener.listen(work)))
