"""The client and the runtime for threads: the same as for asyncio, on an event loop in a thread of its own."""
