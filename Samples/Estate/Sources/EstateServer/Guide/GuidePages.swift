enum GuidePages {
  static let html = """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><title>Buying a home – Estate</title>
    <link rel="stylesheet" href="style.css"><script src="guide.js" defer></script></head>
    <body>
    <h1>Buying a home</h1>
    <p>Look at the street at different times of the day, and ask the neighbors.</p>
    <p>A loan for a home of $300,000 costs <output id="monthly">…</output> a month.</p>
    <p>Visits of this device: <output id="visits">…</output></p>
    </body>
    </html>

    """

  static let style = """
    body { font: 16px/1.5 sans-serif; margin: 1rem }
    output { font-weight: bold }

    """

  /// The visits come from the server, with the app's cookie; the loan is a call of the app's own route.
  static let script = """
    const show = (id, text) => { document.getElementById(id).textContent = text; };
    fetch("/v1/visits", {method: "POST"})
      .then((response) => response.json())
      .then((body) => show("visits", body.visits), () => show("visits", "offline"));
    fetch("/app-calls", {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify({id: "1", method: "quote", params: {price: "300000"}}),
    })
      .then((response) => response.text())
      .then((text) => JSON.parse(text.trim().split("\\n").at(-1)))
      .then((reply) => show("monthly", reply.event === "success"
        ? "$" + (reply.value.monthlyCents / 100).toFixed(2) : reply.reason), () => show("monthly", "unknown"));

    """
}
