# SPDX-License-Identifier: GPL-2.0
"""
Headless Chromium with one page open, as a person would use it: wheels, clicks and keys. It is driven
through pipes (--remote-debugging-pipe), so nothing listens. CHROMIUM: the command (default: chromium).
Used by browser and speedscope.
"""
import base64
import fcntl
import json
import os
import subprocess
import time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync --disable-extensions
--remote-debugging-pipe --hide-scrollbars --window-size=1440,900""".split()


class Browser:
    """Chromium, with one page open."""

    def __init__(self, folder):
        pipes = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in os.pipe() + os.pipe()]
        to_read, to_write, from_read, from_write = pipes
        command = [os.environ.get("CHROMIUM", "chromium"), *FLAGS, "--user-data-dir=" + folder,
                   "about:blank"]
        # It reads commands from 3, and writes to 4.
        script = f'exec 3<&{to_read} 4>&{from_write} {to_read}<&- {from_write}>&-; exec "$@"'
        self.process = subprocess.Popen(["bash", "-c", script, "sh", *command],
                                        pass_fds=(to_read, from_write), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.out, self.into = os.fdopen(to_write, "wb", 0), os.fdopen(from_read, "rb")
        self.number, self.session, self.buffer = 0, None, b""
        self.requests, self.trouble = [], []
        pages = self.ask("Target.getTargets")["targetInfos"]
        target = next(p["targetId"] for p in pages if p["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target,
                                flatten=True)["sessionId"]
        for domain in "Page", "Network", "Runtime", "Log":
            self.ask(domain + ".enable")

    def message(self):
        while b"\0" not in self.buffer:
            data = os.read(self.into.fileno(), 1 << 20)
            if not data:
                raise SystemExit("the browser has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        self.out.write(json.dumps(request).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m:
                    raise SystemExit(f"{method}: {m['error']}")
                return m["result"]
            self.hear(m)

    def hear(self, m):
        p = m.get("params", {})
        if m.get("method") == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])
        elif m.get("method") == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.trouble.append(d.get("exception", {}).get("description") or d["text"])
        elif m.get("method") == "Log.entryAdded" and p["entry"]["level"] == "error":
            self.trouble.append(p["entry"]["text"])
        elif m.get("method") == "Page.javascriptDialogOpening":
            self.trouble.append("a dialog: " + p["message"])

    def run(self, script):
        r = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in r:
            raise SystemExit(f"{script}: {r['exceptionDetails']}")
        return r["result"].get("value")

    def go(self, path, ready, hash=""):
        """Open a file, and wait until an expression of JavaScript holds."""
        url = "file://" + os.path.abspath(path)
        self.ask("Page.navigate", url=url + hash)
        for _ in range(600):
            if self.run(ready):
                return url
            time.sleep(0.05)
        raise SystemExit("the page does not get ready")

    def frames(self, n=3):
        """Wait until this number of frames has been drawn, and nothing moves."""
        self.run(f"new Promise((done) => {{ let n = {n}; const f = () => n-- ? "
                 "requestAnimationFrame(f) : setTimeout(done, 260); f(); })")

    def mouse(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, times=1, modifiers=0):
        for n in range(1, times + 1):
            for kind in "mousePressed", "mouseReleased":
                self.mouse(kind, x, y, button="left", clickCount=n, modifiers=modifiers)

    def key(self, key, modifiers=0):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, modifiers=modifiers)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.ask("Browser.close")
        except (SystemExit, OSError):
            pass
        self.process.wait(30)
