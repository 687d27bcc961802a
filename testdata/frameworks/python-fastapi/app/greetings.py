from pydantic import BaseModel

words = {"en": "Hello", "fr": "Bonjour"}


class Greeting(BaseModel):
    text: str
    length: int
