/// A page of the app, which is native on a device, around a page of the web site.
struct GuidePage {
  let port: UInt16
  let member: String?

  /// The content security policy: the page frames only the one inside, and has no script.
  var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'; frame-src http://127.0.0.1:\(port); frame-ancestors 'none'"
  }

  var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>The guide – Estate</title>
    <style>body{font:16px/1.5 sans-serif;margin:0 auto;max-width:60rem;padding:0 1rem}
    iframe{border:1px solid;width:100%;height:24rem}</style></head>
    <body>
    <h1>The guide</h1>
    <p>For \(member ?? "guests"), by the app. <a href="/">To the homes</a></p>
    <iframe title="Buying a home" src="http://127.0.0.1:\(Int(port))/guide/"></iframe>
    </body></html>
    """
  }
}
