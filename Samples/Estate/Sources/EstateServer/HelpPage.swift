import HTTPServing
import HTTPTypes

/// `/help.html`, the one page for people; it needs no signature.
enum HelpPage {
  static let path = "/help.html"

  static func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, path) { _ in
      Answer(mediaType: "text/html; charset=utf-8", freshness: .aMinute, bytes: Array(html.utf8))
    }
  }

  private static let html = """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><title>Estate help</title></head>
    <body>
    <h1>Estate help</h1>
    <p>Look for houses, condos and multi-family homes around Sacramento; mark the ones you like; take notes.</p>
    <h2>How do I log in?</h2>
    <p>The sample has one account: user <code>\(DemoAccount.user)</code>,
    password <code>\(DemoAccount.password)</code>. Only favourites need it.</p>
    <h2>Are these homes for sale?</h2>
    <p>No. They were sold years ago; the mortgage rates are made up.</p>
    <h2>Why was my request refused?</h2>
    <p>Every API request must be signed with the key in <code>demo-key.json</code> of the server's state
    directory. The <code>error.code</code> of the answer says what was wrong.</p>
    </body>
    </html>

    """
}
