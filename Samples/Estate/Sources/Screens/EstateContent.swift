package import ScreenContents

/// What Estate adds to the vocabulary of screens.
package enum EstateContent {
  /// The kinds of content that its screens have beside those of the library.
  package static let kinds: [any AppContent.Type] = [
    Comparison.self, HomePicture.self, PlaceMap.self, Plot.self,
  ]
}

/// The signs that hosts draw instead of the labels of actions.
package enum ActionSign {
  package static let favourite = "favourite"
  /// Takes back a favourite that waits for the network.
  package static let waitingFavourite = "waitingFavourite"
  package static let more = "more"
  package static let refresh = "refresh"
}

extension ContentBlock {
  package static func picture(_ picture: HomePicture) -> ContentBlock { .app(AppBlock(picture)) }

  package static func comparison(_ comparison: Comparison) -> ContentBlock { .app(AppBlock(comparison)) }

  package static func plot(_ plot: Plot) -> ContentBlock { .app(AppBlock(plot)) }

  package static func map(_ map: PlaceMap) -> ContentBlock { .app(AppBlock(map)) }

  /// The content of a kind that Estate has added; nil for other blocks.
  package var own: (any AppContent)? { if case .app(let block) = self { block.content } else { nil } }
}

extension Fact {
  /// The value with its unit.
  package var text: String { unit.map { "\(value) \($0)" } ?? value }
}
