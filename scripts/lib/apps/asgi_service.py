"""For uvicorn: a FastAPI service that is sent records or images."""
import preparing
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse

application = FastAPI()


@application.post("/records", response_class=PlainTextResponse)
async def records(request: Request):
    return preparing.records(await request.body())


@application.post("/image", response_class=PlainTextResponse)
async def image(request: Request, side: int):
    return preparing.image(await request.body(), side)
