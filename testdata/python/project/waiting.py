import asyncio


async def answer(n):
    await asyncio.sleep(0.01)
    return n * 2  # @mark answer


async def main():
    both = await asyncio.gather(answer(1), answer(2))
    print("both", both)  # @mark both


asyncio.run(main())
