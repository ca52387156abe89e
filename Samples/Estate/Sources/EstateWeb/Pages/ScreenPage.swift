import Foundation

/// A screen as a page of HTML, with the app's menu around it.
struct ScreenPage {
  /// A screen of the navigation stack.
  struct Step {
    let number: Int
    let title: String
  }

  /// A tab of the navigation.
  struct Tab {
    let name: String
    /// The number of its screens.
    let count: Int
    let isSelected: Bool
  }

  /// The screen's title, or a message.
  let title: String
  let lines: [String]
  /// The screen's number, or `nil` if the page shows a message.
  let number: Int?
  /// The screens of the current stack, the top one last.
  let steps: [Step]
  /// Whether this is the app's top screen; a page from the browser's history may not be.
  let isTop: Bool
  let asksForLogin: Bool
  let notices: [String]
  /// Proves that a form comes from a page of this app.
  let token: String
  /// The tabs; empty if the page shows a message.
  var tabs: [Tab] = []

  private static let menu = [
    ("Houses", "estate://listings/house"), ("Condos", "estate://listings/condo"),
    ("Multi-family", "estate://listings/multi"), ("Favourites", "estate://favourites"),
    ("Log in", "estate://login"), ("Log out", "estate://logout"),
    ("Help", "https://api.estate.test/help.html"),
  ]

  var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>\(title) – Estate</title>
    <style>
    body{font:16px/1.5 sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}
    nav form{display:inline}p.line{white-space:pre-wrap;font-family:monospace;margin:0}
    .notice{border-left:4px solid;padding-left:.5rem}
    </style></head><body>
    <nav>\(Self.menu.map(menuItem))<a href="/loan">What does a loan cost?</a></nav>
    <form method="post" action="/open"><input type="hidden" name="token" value="\(token)"><label>URL <input
    name="url" size="50" maxlength="8192" placeholder="estate://home/42"></label> <button>Open</button></form>
    \(notices.map { "<p class=\"notice\" role=\"status\">\($0)</p>\n" as HTML })
    \(tabBar)<main><h1>\(title)</h1>
    \(lines.map(line))</main>
    \(login)\(way)
    </body></html>

    """
  }

  private func menuItem(_ item: (name: String, url: String)) -> HTML {
    """
    <form method="post" action="/open"><input type="hidden" name="token" value="\(token)">
    <input type="hidden" name="url" value="\(item.url)"><button>\(item.name)</button></form>

    """
  }

  private var tabBar: HTML {
    guard !tabs.isEmpty else { return "" }
    let buttons = tabs.map { tab -> HTML in
      let label: HTML = "\(tab.name) (\(tab.count))"
      return tab.isSelected
        ? "<button name=\"name\" value=\"\(tab.name)\" aria-current=\"true\">\(label)</button>\n"
        : "<button name=\"name\" value=\"\(tab.name)\">\(label)</button>\n"
    }
    return """
      <form method="post" action="/tab" aria-label="Tabs"><input type="hidden" name="token" value="\(token)">
      \(buttons)</form>

      """
  }

  private func line(_ line: String) -> HTML {
    let parts = LinkedLine(line).parts.map { part -> HTML in
      switch part {
      case .text(let text): "\(text)"
      case .link(let url): "<a href=\"\(Self.link(url, from: number))\">\(url)</a>"
      }
    }
    return "<p class=\"line\">\(parts)</p>\n"
  }

  private static func link(_ url: String, from number: Int?) -> String {
    let coded = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "/link?url=\(coded)" + (number.map { "&from=\($0)" } ?? "")
  }

  private var login: HTML {
    guard asksForLogin else { return "" }
    return """
      <form method="post" action="/login"><input type="hidden" name="token" value="\(token)">
      <label>User <input name="user" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password"></label>
      <button>Log in</button></form>

      """
  }

  private var way: HTML {
    guard let number else { return "" }
    if !isTop {
      return """
        <form method="post" action="/return"><input type="hidden" name="token" value="\(token)">
        <input type="hidden" name="entry" value="\(number)">The app shows another screen now.
        <button>Return to this screen</button></form>

        """
    }
    let older = steps.dropLast().map { "<li><a href=\"/entry/\($0.number)\">\($0.title)</a></li>" as HTML }
    return """
      <ol>\(older)<li aria-current="page">\(title)</li></ol>
      <form method="post" action="/back"><input type="hidden" name="token" value="\(token)">
      <button>Back</button></form>

      """
  }
}
