import Screens

/// A screen as a page of HTML, with the app's menu around it.
struct ScreenPage {
  struct Step {
    let path: String
    let title: String
  }

  struct Message {
    let text: String
    let isFailure: Bool
  }

  /// The screen's content, or a message in its place.
  let content: ScreenContent
  /// The number of the screen's entry, or `nil` if the page shows a message.
  let number: Int?
  /// The screens of the current stack, the top one last.
  let steps: [Step]
  /// Whether this is the app's top screen; a page from the browser's history may not be.
  let isTop: Bool
  let asksForLogin: Bool
  let messages: [Message]
  let token: String
  var member: String?
  /// The number of changes of the app so far, by which the page's script notices a later one.
  var version = 0
  /// The run of the app that the number belongs to.
  var run = ""

  private static let menu = [
    ("Homes", "/browse"), ("Overview", "/overview"), ("Favourites", "/favourites"), ("Settings", "/settings"),
    ("Help", "/about"),
  ]

  private var page: ContentPage { ContentPage(content: content, number: number, token: token) }

  var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,\
    initial-scale=1"><title>\(content.title.withNames) – Estate</title>
    <link rel="stylesheet" href="/assets/estate.css"><link rel="icon" href="data:,">\
    <script src="/assets/estate.js" defer></script></head>
    <body data-version="\(version)" data-run="\(run)"><a class="skip" href="#content">Skip to the content</a>\
    <div class="bar" role="progressbar" aria-label="Loading" hidden></div>
    \(top)<main class="wide" id="content" tabindex="-1">
    \(messages.map(notice))<div class="head"><div>\(crumbs)<h1>\(content.title.withNames)</h1>\(badges)</div>
    \(page.actions)</div>
    \(page.html)\(login)</main>
    \(foot)</body></html>

    """
  }

  private var top: HTML {
    let address = content.address.flatMap(WebAddress.path) ?? ""
    let items = Self.menu.map { name, path -> HTML in
      address.hasPrefix(path)
        ? "<a href=\"\(path)\" aria-current=\"page\">\(name)</a>" : "<a href=\"\(path)\">\(name)</a>"
    }
    let account: HTML =
      member.map {
        "<span>\($0)</span>\(command("/open", "Log out", field: ("url", "estate://logout")))"
      } ?? "<a class=\"button\" href=\"/login\">Log in</a>"
    return """
      <header class="top"><div class="wide"><a class="brand" href="/"><svg viewBox="0 0 24 24" \
      aria-hidden="true"><path fill="currentColor" d="M12 2.5 2 11h3v10h5.5v-6h3v6H19V11h3z"/></svg>Estate</a>\
      <nav class="nav" aria-label="Main">\(items)</nav><div class="account">\(account)</div></div></header>

      """
  }

  private func notice(_ message: Message) -> HTML {
    message.isFailure
      ? "<div class=\"notice failure\"><p role=\"alert\">\(message.text)</p></div>\n"
      : "<div class=\"notice\"><p role=\"status\">\(message.text)</p></div>\n"
  }

  private var crumbs: HTML {
    guard isTop, steps.count > 1 else { return "" }
    let items = steps.dropLast().suffix(2).map {
      "<li><a href=\"\($0.path)\">\($0.title.withNames)</a></li>" as HTML
    }
    return "<nav aria-label=\"Screens below\"><ol class=\"crumbs\">\(items)</ol></nav>"
  }

  private var badges: HTML {
    let stale: HTML = content.staleness.map { "<p class=\"badge\">\($0)</p>" } ?? ""
    let loading: HTML = content.isLoading ? "<p class=\"badge loading\" role=\"status\">Loading…</p>" : ""
    return "\(stale)\(loading)"
  }

  private var login: HTML {
    guard asksForLogin else { return "" }
    return """
      <form class="stack" method="post" action="/login">\(page.hidden)
      <div><label for="user">Name</label><input id="user" name="user" autocomplete="username" required></div>
      <div><label for="password">Password</label><input id="password" name="password" type="password" \
      autocomplete="current-password"></div>
      <button class="main">Log in</button></form>
      \(command("/back", "Not now", field: ("entry", "")))

      """
  }

  private var foot: HTML {
    let back: HTML =
      number == nil
      ? ""
      : isTop
        ? command("/back", "Back", field: ("entry", ""))
        : """
        <p>The app shows another screen now. \
        \(command("/return", "Return to this screen", field: ("entry", number.map(String.init) ?? "")))</p>
        """
    return """
      <footer class="foot"><div class="wide"><form method="post" action="/open">\(page.hidden)\
      <div><label for="url">Open a URL of the app</label><input id="url" name="url" maxlength="8192" \
      placeholder="estate://home/42" autocomplete="off"></div><button>Open</button></form>\
      \(back)<p>Real sales around Sacramento; fictitious rates. <a href="/loan">A page that asks the app</a></p>\
      </div></footer>

      """
  }

  private func command(_ path: String, _ label: String, field: (name: String, value: String)) -> HTML {
    """
    <form method="post" action="\(path)">\(page.hidden)<input type="hidden" name="\(field.name)" \
    value="\(field.value)"><button class="plain">\(label)</button></form>
    """
  }
}
