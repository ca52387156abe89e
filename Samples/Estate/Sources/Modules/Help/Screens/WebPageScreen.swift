import Navigation
import Screens

/// A page of the web.
struct WebPageScreen: ContentScreen, AddressedScreen {
  let content: ScreenContent
  /// The page's own URL opens it again, although its route takes a value.
  let address: String

  init(url: String, page: Page) {
    address = url
    content = ScreenContent(
      title: page.title.isEmpty ? url : page.title, blocks: page.lines.map(ContentBlock.text))
  }
}
