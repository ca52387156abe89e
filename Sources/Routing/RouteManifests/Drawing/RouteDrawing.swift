/// The layout of a drawing of an app's routes: a card for each module, and a line for each opener.
///
/// All lengths are pixels, from the left and the top. `svg` is the drawing as text.
package struct RouteDrawing: Sendable, Hashable {
  /// A rectangle.
  package struct Frame: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package var right: Int { x + width }
    package var bottom: Int { y + height }

    /// Whether both have a pixel in common.
    package func overlaps(_ other: Frame) -> Bool {
      x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// Whether the other rectangle is within this one.
    package func contains(_ other: Frame) -> Bool {
      x <= other.x && y <= other.y && other.right <= right && other.bottom <= bottom
    }
  }

  /// A text that fits where it is drawn.
  package struct Text: Sendable, Hashable {
    /// What a text says, which decides its font and its color.
    package enum Style: String, Sendable, Hashable {
      case title
      case heading
      case name
      case pattern
      case note
      case guards
    }

    package let text: String
    package let style: Style
    package let x: Int
    /// The base line.
    package let y: Int
    /// Whether `x` is the end of the text.
    package var endsAtX = false
  }

  /// A source outside of the app, or a module that needs routes of others.
  package struct Opener: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      case source
      case module
    }

    package let kind: Kind
    package let frame: Frame
    package let texts: [Text]
    /// The number of its color.
    package let color: Int
    /// Its vertical lines, at most one for each column of cards.
    package var lanes: [Lane] = []
  }

  /// The vertical line of an opener beside a column of cards.
  package struct Lane: Sendable, Hashable {
    package let x: Int
    /// The height at which the opener reaches each card or route.
    package let stops: [Int]
  }

  /// A module.
  package struct Card: Sendable, Hashable {
    package var frame: Frame
    package var texts: [Text]
    package var routes: [Box]

    /// The height at which lines reach the module itself, because another one needs its provider.
    package var head: Int { frame.y + 21 }
  }

  /// A route.
  package struct Box: Sendable, Hashable {
    /// How code reaches the route, which decides the border.
    package enum Border: String, Sendable, Hashable {
      case open
      case inner
      case native
    }

    package let frame: Frame
    package let texts: [Text]
    package let border: Border
    package let isLit: Bool
    /// Everything about the route, for a tooltip.
    package let summary: String
  }

  /// The horizontal line from a card or a route to the farthest of its openers' lanes.
  package struct Connector: Sendable, Hashable {
    package let from: Int
    package let to: Int
    package let y: Int
  }

  package let width: Int
  package let height: Int
  package let texts: [Text]
  package let openers: [Opener]
  package let connectors: [Connector]
  package let cards: [Card]
  /// A description of the drawing, for screen readers.
  package let summary: String

  /// The whole drawing.
  package var frame: Frame { Frame(x: 0, y: 0, width: width, height: height) }
}

extension RouteManifest {
  /// Returns a drawing of the modules, their routes and guards, and what opens them, as an SVG image.
  ///
  /// Each outside source, and each module that needs routes or providers of others, is a line with a dot at
  /// what it opens. The image has colors for light and dark surroundings, refers to no other file, and is the
  /// same on every machine.
  ///
  /// - Parameter lit: The routes to highlight, each by one of its patterns, or `MODULE.NAME` if it has none.
  public func drawing(lighting lit: Set<String> = []) -> String { RouteDrawing(of: self, lighting: lit).svg }
}
