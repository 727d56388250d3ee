"""A browser under WebDriver, by the standard library alone: starts chromedriver, and speaks its HTTP protocol."""

import base64
import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's id in the protocol
KEYS = {"enter": "\ue007", "escape": "\ue00c", "tab": "\ue004", "down": "\ue015", "up": "\ue013", "right": "\ue014",
        "left": "\ue012", "pagedown": "\ue00f", "home": "\ue011", "end": "\ue010", "shift": "\ue008"}


class WebDriverError(Exception):
    pass


def find_programs():
    """Paths of (driver, browser); None where one is not installed."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return shutil.which("chromedriver"), browser


class Browser:
    """One window. Ends the browser and the driver when it is left (with Browser() as b)."""

    def __init__(self, driver, browser, profile_dir, width=1440, height=900):
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       start_new_session=True, text=True)
        self.session = None
        options = {"binary": browser, "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--force-prefers-reduced-motion", "--disable-component-update", "--disable-sync",
            "--user-data-dir=%s" % profile_dir, "--window-size=%d,%d" % (width, height)],
            "perfLoggingPrefs": {"enableNetwork": True, "enablePage": False}}
        wanted = {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}}
        try:
            self.port = self.port_of_driver()
            self.session = self.call("POST", "/session", wanted)["sessionId"]
            # no script and no page takes too long
            self.command("POST", "/timeouts", {"script": None, "pageLoad": 1 << 31})
        except Exception:
            self.close()
            raise

    def port_of_driver(self):
        """The driver says it when it listens; it says no more afterwards than its pipe holds."""
        for line in self.driver.stdout:
            said = re.search(r"started successfully on port (\d+)", line)
            if said:
                return int(said.group(1))
        raise WebDriverError("chromedriver does not start")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise WebDriverError(e.read().decode(errors="replace")[:600]) from None

    def command(self, method, path, body=None):
        return self.call(method, "/session/" + self.session + path, body)

    def close(self):
        if self.session:
            try:
                self.command("DELETE", "")
            except (OSError, WebDriverError):
                pass
        self.driver.terminate()
        self.driver.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def open(self, path):
        """Opens a file, and waits until the page says that it is drawn."""
        self.command("POST", "/url", {"url": "file://" + path})
        self.until("document.getElementById('main').getAttribute('aria-busy') !== 'true' && "
                   "!document.querySelector('.loading')")

    def run(self, script, *args):
        """The value of a JavaScript expression; arguments[0] ... are `args`."""
        return self.command("POST", "/execute/sync", {"script": "return (" + script + ");", "args": list(args)})

    def until(self, expression):
        """Waits until a JavaScript expression is true, which is asked in every frame."""
        self.command("POST", "/execute/async", {"script": "const done = arguments[0]; const ask = () => (" + expression +
                     ") ? done(null) : requestAnimationFrame(ask); ask();", "args": []})

    def find(self, selector):
        return self.command("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", selector)
        self.command("POST", "/element/%s/click" % self.find(selector), {})

    def type(self, *keys):
        """Keys to whatever has the focus; names of KEYS, or text. A key of a chord is a tuple: ("shift", "enter")."""
        actions = []
        for key in keys:
            if isinstance(key, tuple):
                codes = [KEYS.get(k, k) for k in key]
                actions += [{"type": "keyDown", "value": c} for c in codes]
                actions += [{"type": "keyUp", "value": c} for c in reversed(codes)]
            else:
                for c in [KEYS[key]] if key in KEYS else key:
                    actions += [{"type": "keyDown", "value": c}, {"type": "keyUp", "value": c}]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def frames(self):
        """Two frames from now: what was scrolled has had its scroll event, which hides a tip."""
        self.command("POST", "/execute/async", {"script": "const done = arguments[0];"
                     " requestAnimationFrame(() => requestAnimationFrame(() => done(null)));", "args": []})

    def hover(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", selector)
        self.frames()
        origin = {ELEMENT: self.find(selector)}
        self.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "origin": origin, "x": 0, "y": 0, "duration": 0}]}]})

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride",
                 {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def cdp(self, name, parameters):
        """A command of Chromium's own protocol."""
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def screenshot(self, path, whole=False):
        shot = self.cdp("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        with open(path, "wb") as f:
            f.write(base64.b64decode(shot["data"]))

    def console(self):
        """Messages of the console since the last call: errors and warnings, those of the browser's own pages aside."""
        return [m["message"] for m in self.command("POST", "/se/log", {"type": "browser"})
                if m["level"] in ("SEVERE", "WARNING") and not m["message"].startswith("chrome")]

    def requests(self):
        """Addresses that pages of files have asked for since the last call, each page's own among them."""
        urls = []
        for entry in self.command("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent" and message["params"]["documentURL"].startswith("file:"):
                urls.append(message["params"]["request"]["url"])
        return urls
