public import Navigation
public import ScreenContents

/// A screen whose content is a value, which the app's host renders.
@MainActor public protocol ContentScreen: Screen {
  /// What the screen holds at present.
  var content: ScreenContent { get }
}

extension ContentScreen {
  /// The title of the content.
  public var title: String { content.title }
}

/// A screen whose content changes while it is shown.
///
/// A host that draws screens sets `onChange` when it shows the screen; one that reads `content` on request
/// doesn't need it.
@MainActor public protocol ChangingScreen: ContentScreen, AnyObject {
  /// Called after the content has changed.
  var onChange: @MainActor () -> Void { get set }
}

/// A screen of fixed content.
public struct FixedScreen: ContentScreen {
  /// The content.
  public let content: ScreenContent

  /// Creates a screen.
  public init(_ content: ScreenContent) { self.content = content }

  /// Creates a screen of a title and paragraphs.
  public init(title: String, paragraphs: [String]) {
    content = ScreenContent(title: title, blocks: paragraphs.map(ContentBlock.text))
  }
}
