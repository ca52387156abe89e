public import ScreenContents

/// What Estate adds to the vocabulary of screens.
public enum EstateContent {
  /// The kinds of content that its screens have beside those of the library.
  public static let kinds: [any AppContent.Type] = [
    Comparison.self, HomePicture.self, PlaceMap.self, Plot.self,
  ]
}

/// The signs that hosts draw instead of the labels of actions.
public enum ActionSign {
  /// Marks a home as a favourite.
  public static let favourite = "favourite"
  /// Takes back a favourite that waits for the network.
  public static let waitingFavourite = "waitingFavourite"
  /// Continues a list.
  public static let more = "more"
  /// Loads the content again.
  public static let refresh = "refresh"
}

extension ContentBlock {
  /// Returns a drawing of a home.
  public static func picture(_ picture: HomePicture) -> ContentBlock { .app(AppBlock(picture)) }

  /// Returns things that are compared property by property.
  public static func comparison(_ comparison: Comparison) -> ContentBlock { .app(AppBlock(comparison)) }

  /// Returns curves over a common axis.
  public static func plot(_ plot: Plot) -> ContentBlock { .app(AppBlock(plot)) }

  /// Returns places by latitude and longitude.
  public static func map(_ map: PlaceMap) -> ContentBlock { .app(AppBlock(map)) }

  /// The content of a kind that Estate has added; nil for other blocks.
  public var own: (any AppContent)? { if case .app(let block) = self { block.content } else { nil } }
}

extension Fact {
  /// The value with its unit.
  public var text: String { unit.map { "\(value) \($0)" } ?? value }
}
