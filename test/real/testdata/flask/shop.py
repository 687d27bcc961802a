"""A shop with one route that fails for an order without lines."""
from flask import Flask, jsonify, request

app = Flask(__name__)
ORDERS = {
    1: {"customer": "Ada", "lines": [{"price": 4.5, "n": 2}, {"price": 1.25, "n": 4}]},
    2: {"customer": "Bob", "lines": []},
}


@app.get("/orders/<int:number>")
def order(number):
    order = ORDERS[number]
    total = sum(line["price"] * line["n"] for line in order["lines"])
    mean = total / len(order["lines"])
    return jsonify(customer=order["customer"], total=total, mean=mean, agent=request.headers.get("User-Agent"))


if __name__ == "__main__":
    app.run(port=0)
