"""Greets whoever asks over HTTP."""
from flask import Flask, request

app = Flask(__name__)


@app.get("/greet")
def greet():
    greeting = f"Hello, {request.args['name']}"
    return {"greeting": greeting}  # @mark greet
