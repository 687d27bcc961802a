"""Fetches pages, several at a time."""
import asyncio


async def fetch(page):
    await asyncio.sleep(0.01 * len(page))
    return f"<h1>{page}</h1>"


async def worker(pages, sizes):
    while not pages.empty():
        page = await pages.get()
        text = await fetch(page)
        sizes[page] = len(text)  # @mark fetched


async def main():
    pages, sizes = asyncio.Queue(), {}
    for page in ("index", "about", "news"):
        pages.put_nowait(page)
    await asyncio.gather(*(worker(pages, sizes) for _ in range(2)))
    print(sizes)


if __name__ == "__main__":
    asyncio.run(main())
