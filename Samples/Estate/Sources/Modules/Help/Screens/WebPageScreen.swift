import Navigation
import TerminalScreens

/// A page of the web.
struct WebPageScreen: TerminalScreen, AddressedScreen {
  let title: String
  let lines: [String]
  /// The page's own URL opens it again, although its route takes a value.
  let address: String

  init(url: String, page: Page) {
    address = url
    title = page.title.isEmpty ? url : page.title
    lines = page.lines
  }
}
