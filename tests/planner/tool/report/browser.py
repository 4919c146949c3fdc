"""A headless Chromium, driven over a pipe by the DevTools protocol: no driver, no network, nothing to install but the
browser. Messages are JSON, each ended by a zero byte, written to its descriptor 3 and read from its descriptor 4."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# A machine that builds something else meanwhile takes its time.
ANSWER_SECONDS = 60


def find_chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page; what its console says is kept in `console`."""

    def __init__(self, width=1280, height=900):
        self._profile = tempfile.TemporaryDirectory(prefix="memomalloc-chromium-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        self._process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", f"--window-size={width},{height}",
             f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=lambda: _hand_over(to_browser, from_browser), close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._answers = {}
        self._events = []
        self._number = 0
        self.console = []
        self._session = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")
        self._size = {"width": width, "height": height}
        self.on_screen()

    def close(self):
        for descriptor in (self._write, self._read):
            os.close(descriptor)
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._profile.cleanup()

    def open(self, path):
        self.console.clear()
        self._events.clear()
        self._call("Page.navigate", url=f"file://{path}")
        self._wait_for(lambda: "Page.loadEventFired" in self._events, "the page did not load")

    def evaluate(self, expression):
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self):
        """Two frames and the idle time after them: whatever was asked for is painted."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
                      "requestIdleCallback(done, {timeout: 5000}))))")

    def wait_until(self, expression):
        self._wait_for(lambda: self.evaluate(expression), f"never came true: {expression}")

    def mouse(self, kind, x, y, **more):
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=count)

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def prefer(self, scheme):
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def on_paper(self, width):
        """Lays the page out as it is printed."""
        self._call("Emulation.setEmulatedMedia", media="print")
        self._call("Emulation.setDeviceMetricsOverride", **{**self._size, "width": width}, deviceScaleFactor=1, mobile=False)

    def on_screen(self):
        self._call("Emulation.setEmulatedMedia", media="")
        self._call("Emulation.setDeviceMetricsOverride", **self._size, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path, selector=None):
        clip = {}
        if selector:
            box = self.evaluate(f"""(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
                return {{x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1}}; }})()""")
            clip = {"clip": box}
        picture = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True, **clip)["data"]
        path.write_bytes(base64.b64decode(picture))

    def pdf(self, path):
        path.write_bytes(base64.b64decode(self._call("Page.printToPDF", printBackground=True)["data"]))

    def _call(self, method, **parameters):
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        self._wait_for(lambda: number in self._answers, f"no answer to {method}")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def _wait_for(self, done, complaint):
        until = time.monotonic() + ANSWER_SECONDS
        while not done():
            if not self._receive(until - time.monotonic()):
                raise AssertionError(complaint)

    def _receive(self, seconds):
        ready, _, _ = select.select([self._read], [], [], max(0, min(seconds, 1)))
        if not ready:
            return seconds > 0
        chunk = os.read(self._read, 1 << 16)
        if not chunk:
            raise AssertionError("the browser has ended")
        *messages, self._buffer = (self._buffer + chunk).split(b"\0")
        for message in messages:
            self._take(json.loads(message))
        return True

    def _take(self, message):
        if "id" in message:
            self._answers[message["id"]] = message
            return
        method = message["method"]
        self._events.append(method)
        if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.console.append(message["params"])


def _hand_over(read, write):
    """In the child: the two ends become descriptors 3 and 4, whichever they were."""
    spare_read, spare_write = os.dup(read), os.dup(write)
    os.dup2(spare_read, 3)
    os.dup2(spare_write, 4)
