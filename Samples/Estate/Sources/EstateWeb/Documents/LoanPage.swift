/// A page of the company's web site whose script asks the app for the price of a loan.
///
/// In production the site would serve it; here it saves the sample a second server.
struct LoanPage {
  /// The page's address on the web site, which decides what it may call.
  static let url = "https://api.estate.test/loan.html"
  static let method = "quote"

  /// The nonce of the only script that may run.
  let nonce: String
  /// Proves that a call comes from this document.
  let token: String

  /// The content security policy: only this script runs, and it calls only this server.
  var policy: String {
    "default-src 'none'; script-src 'nonce-\(nonce)'; connect-src 'self'; style-src 'unsafe-inline'; "
      + "frame-ancestors 'none'"
  }

  var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>What does a loan cost? – Estate</title>
    <style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}</style></head>
    <body data-token="\(token)">
    <h1>What does a loan cost?</h1>
    <form id="loan"><label>Price <input name="price" value="300000" inputmode="numeric"></label>
    <button>Ask the app</button></form>
    <p>A month costs <output id="monthly">…</output></p>
    <p>Logging out, which this page may not: <output id="logout">…</output></p>
    <p><a href="/">To the app</a></p>
    <script nonce="\(nonce)">
    let number = 0;
    async function call(what) {
      const answer = await fetch("/bridge", {
        method: "POST",
        headers: {"Content-Type": "application/json", "Estate-Document": document.body.dataset.token},
        body: JSON.stringify({id: String(++number), ...what}),
      });
      if (!answer.ok) return {event: "failure", reason: "status " + answer.status};
      return (await answer.json()).at(-1) ?? {event: "failure", reason: "left"};
    }
    const shown = (reply) => reply.event === "failure" ? reply.reason : JSON.stringify(reply.value);
    const form = document.getElementById("loan");
    async function ask() {
      const reply = await call({method: "\(Self.method)", params: {price: form.elements.price.value}});
      document.getElementById("monthly").textContent =
        reply.event === "success" ? "$" + (reply.value.monthlyCents / 100).toFixed(2) : shown(reply);
    }
    form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
    ask();
    call({url: "estate://logout"}).then((reply) => {
      document.getElementById("logout").textContent = shown(reply);
    });
    </script>
    </body></html>

    """
  }
}
