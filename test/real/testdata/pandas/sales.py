"""Sales of a hundred thousand days, by shop; "crash" asks for a column that is not there."""
import sys

import numpy as np
import pandas as pd

SHOPS = ["Berlin", "Paris", "Rome", "Wien"]


def sales(rows):
    number = np.arange(rows)
    return pd.DataFrame({
        "shop": [SHOPS[n % 4] for n in number],
        "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(number % 366, unit="D"),
        "units": number % 17,
        "price": number % 101 * 0.5,
    })


def main():
    frame = sales(100_000)
    frame["revenue"] = frame["units"] * frame["price"]
    by_shop = frame.groupby("shop")["revenue"].agg(["sum", "mean", "count"])
    best = by_shop["sum"].idxmax()
    print("rows", len(frame), "columns", list(frame.columns))
    print("best", best, by_shop.loc[best, "sum"])
    print("revenue", frame["revenue"].sum())
    if "crash" in sys.argv:
        margin = frame["revenue"] - frame["costs"]
        print(margin.sum())


main()
