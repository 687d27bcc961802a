"""Greets whoever asks over HTTP."""
from fastapi import FastAPI

from .greetings import Greeting, words

app = FastAPI(title="Greetings")


@app.get("/greet/{name}")
async def greet(name: str, language: str = "en") -> Greeting:
    text = f"{words[language]}, {name}"
    return Greeting(text=text, length=len(text))  # @mark greet
