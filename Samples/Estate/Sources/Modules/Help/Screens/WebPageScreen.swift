import TerminalScreens

/// A page of the web.
struct WebPageScreen: TerminalScreen {
  let title: String
  let lines: [String]

  init(url: String, page: Page) {
    title = page.title.isEmpty ? url : page.title
    lines = page.lines
  }
}
