// Behind all other parts of the page.
jobscriptPage.start()
