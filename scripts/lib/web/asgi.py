"""For uvicorn, whose workers load it each for itself."""

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from network import answer

application = FastAPI()


@application.get("/", response_class=PlainTextResponse)
def respond(seed: int):
    return answer(seed)
