"""Headless Chromium with a page in it. Without Chromium or selenium the test ends with 77: skipped."""

import pathlib
import shutil
import sys

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)


def start(theme="light"):
    driver = shutil.which("chromedriver")
    program = shutil.which("chromium")
    if not driver or not program:
        print("skipped: there is no", "chromedriver" if program else "chromium")
        sys.exit(77)
    options = webdriver.ChromeOptions()
    options.binary_location = program
    # Its sandbox can't be had by root, as which tests run in containers; their /dev/shm is small.
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1600,1000"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(driver), options=options)
    browser.set_script_timeout(60)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
    return browser


def open_page(browser, path):
    """Returns "" once the page is ready, or why it can't be shown."""
    browser.get("about:blank") # else an address that differs in no more than its end is not read again
    browser.get(pathlib.Path(path).as_uri())
    return browser.execute_async_script("const done = arguments[0]; rondo.ready.then(() => done(''), error => done(String(error)));")
