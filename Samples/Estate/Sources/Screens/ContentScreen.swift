package import Navigation
package import ScreenContents

/// A screen whose content is a value, which the app's host renders.
@MainActor package protocol ContentScreen: Screen {
  /// What the screen holds at present.
  var content: ScreenContent { get }
}

extension ContentScreen {
  package var title: String { content.title }
}

/// A screen whose content changes while it is shown.
///
/// A host that draws screens sets `onChange` when it shows the screen; one that reads `content` on request
/// doesn't need it.
@MainActor package protocol ChangingScreen: ContentScreen, AnyObject {
  var onChange: @MainActor () -> Void { get set }
}

/// A screen of fixed content.
package struct FixedScreen: ContentScreen {
  package let content: ScreenContent

  package init(_ content: ScreenContent) { self.content = content }

  package init(title: String, paragraphs: [String]) {
    content = ScreenContent(title: title, blocks: paragraphs.map(ContentBlock.text))
  }
}
