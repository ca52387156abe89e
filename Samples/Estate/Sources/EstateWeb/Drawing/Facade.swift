import Screens

/// The front of a home as SVG, drawn from its properties; homes of equal properties differ by their number.
struct Facade {
  private static let ground = 148
  private static let (width, height) = (320, 180)

  let picture: HomePicture

  var html: HTML {
    var random = SplitMix(seed: UInt64(bitPattern: Int64(picture.home)))
    let home: HTML =
      switch picture.kind {
      case .house: house(&random)
      case .condo: building(&random)
      case .multiFamily: row(&random)
      }
    let trees = trees(&random)
    let sun: HTML =
      "<circle class=\"f-sun\" cx=\"\(30 + random.next(210))\" cy=\"\(26 + random.next(14))\" r=\"11\"/>"
    return """
      <svg viewBox="0 0 \(Self.width) \(Self.height)" aria-hidden="true" focusable="false">\
      <path class="f-sky" d="M0 0h320v180H0z"/>\(sun)\(trees.back)\
      <path class="f-ground" d="M0 \(Self.ground)h320v32H0z"/><g class="house">\(home)</g>\(trees.front)</svg>
      """
  }

  private func rect(_ name: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> HTML {
    "<path class=\"\(name)\" d=\"M\(x) \(y)h\(width)v\(height)h-\(width)z\"/>"
  }

  private func window(_ x: Int, _ y: Int, _ width: Int = 20, _ height: Int = 22) -> HTML {
    """
    \(rect("f-trim", x - 2, y - 2, width + 4, height + 4))\(rect("f-glass", x, y, width, height))\
    \(rect("f-trim", x + width / 2 - 1, y, 2, height))
    """
  }

  private func door(_ x: Int, _ color: Int) -> HTML {
    """
    \(rect("f-trim", x - 2, Self.ground - 34, 22, 34))\(rect("d\(color)", x, Self.ground - 32, 18, 32))\
    \(rect("f-trim", x + 13, Self.ground - 17, 2, 3))
    """
  }

  /// A house, the wider the larger it is, with one window for each bedroom.
  private func house(_ random: inout SplitMix) -> HTML {
    let storeys = picture.beds >= 4 ? 2 : 1
    let width = min(210, max(118, 96 + picture.squareFeet / 22 / storeys))
    let tall = storeys == 2 ? 86 : 52 + random.next(8)
    let left = (Self.width - width) / 2 + random.next(40) - 20
    let top = Self.ground - tall
    let (wall, roofColor, doorColor) = (random.next(8), random.next(5), random.next(5))
    let hasDoorRight = random.next(2) == 1
    let doorX = hasDoorRight ? left + width - 40 : left + 20
    let rise = 24 + random.next(18)
    let style = random.next(4)
    let roof: HTML =
      switch style {
      case 0:
        "<path class=\"q\(roofColor)\" d=\"M\(left - 10) \(top)L\(left + width / 2) \(top - rise)L\(left + width + 10) \(top)z\"/>"
      case 1:
        "<path class=\"q\(roofColor)\" d=\"M\(left - 10) \(top)l\(26) -\(rise)h\(width - 32)l26 \(rise)z\"/>"
      case 2: "\(rect("q\(roofColor)", left - 12, top - 9, width + 24, 9))"
      default:
        """
        <path class="q\(roofColor)" d="M\(left - 8) \(top)l14 -\(rise - 8)h\(width - 12)l14 \(rise - 8)z"/>\
        \(rect("w\(wall)", hasDoorRight ? left : left + width - 62, top - 2, 62, 8))\
        <path class="q\(roofColor)" d="M\((hasDoorRight ? left : left + width - 62) - 8) \(top)l39 -\(rise)l39 \(rise)z"/>
        """
      }
    let chimney =
      random.next(3) == 0 ? HTML("") : rect("q\(roofColor)", left + width / 4, top - rise - 4, 12, rise)
    let free = hasDoorRight ? left + 14..<doorX - 14 : doorX + 32..<left + width - 14
    let below = windows(
      max(1, storeys == 2 ? picture.beds / 2 : picture.beds), in: free, at: Self.ground - 38)
    let above =
      storeys == 2
      ? windows(picture.beds - picture.beds / 2, in: left + 14..<left + width - 14, at: top + 12) : []
    let path: HTML =
      "<path class=\"f-trim\" d=\"M\(doorX) \(Self.ground)h18l8 32h-34z\" opacity=\".55\"/>"
    return """
      \(chimney)\(rect("w\(wall)", left, top, width, tall))\(roof)\(rect("f-shade", left, top, width, 5))\
      \(door(doorX, doorColor))\(below)\(above)\(path)
      """
  }

  private func windows(_ count: Int, in range: Range<Int>, at y: Int) -> [HTML] {
    let count = min(count, max(1, range.count / 30))
    guard count > 0 else { return [] }
    let pitch = range.count / count
    return (0..<count).map { window(range.lowerBound + pitch * $0 + (pitch - 20) / 2, y) }
  }

  /// A building with balconies, of which one is lit.
  private func building(_ random: inout SplitMix) -> HTML {
    let (floors, columns) = (3 + random.next(3), 3 + min(2, picture.squareFeet / 700))
    let (pitch, storey) = (30, 23)
    let (width, tall) = (columns * pitch + 14, floors * storey + 12)
    let left = (Self.width - width) / 2 + random.next(50) - 25
    let top = Self.ground - tall
    let (wall, roof, color) = (random.next(8), random.next(5), random.next(5))
    // One path for all parts of a color, because each element costs more than its outline.
    var (panes, bars, balconies) = ("", "", "")
    var entrance: HTML = ""
    for place in 0..<floors * columns {
      let (x, y) = (left + 12 + place % columns * pitch, top + 10 + place / columns * storey)
      if place / columns == floors - 1, place % columns == columns / 2 {
        entrance = door(x, color)
        continue
      }
      panes += "M\(x) \(y)h18v14h-18z"
      bars += "M\(x + 9) \(y)v14"
      balconies += "M\(x - 3) \(y + 17)h24"
    }
    // The frames and the bars are strokes, whose outlines would be longer.
    let parts: HTML = """
      <path class="f-pane" d="\(panes)"/><path class="f-bar" d="\(bars)"/>\
      <path class="f-rail r\(color)" d="\(balconies)"/>\(entrance)
      """
    return """
      \(rect("w\(wall)", left, top, width, tall))\(rect("q\(roof)", left - 5, top - 7, width + 10, 8))\
      \(rect("f-shade", left, top + 1, width, 4))\(parts)
      """
  }

  /// A row of two to four houses, each of another colour.
  private func row(_ random: inout SplitMix) -> HTML {
    let count = min(4, max(2, picture.beds / 2))
    let width = 60
    let left = (Self.width - width * count) / 2
    let (first, roof) = (random.next(8), random.next(5))
    let parts = (0..<count).map { index -> HTML in
      let (x, tall) = (left + index * width, 66 + random.next(20))
      let top = Self.ground - tall
      return """
        \(rect("w\((first + index * 3) % 8)", x, top, width, tall))\
        <path class="q\((roof + index) % 5)" d="M\(x - 3) \(top)l\(width / 2 + 3) -26l\(width / 2 + 3) 26z"/>\
        \(door(x + 8, random.next(5)))\(window(x + 34, Self.ground - 34, 16, 20))\
        \(window(x + 10, top + 9, 15, 18))\(window(x + 35, top + 9, 15, 18))
        """
    }
    return "\(parts)"
  }

  private func trees(_ random: inout SplitMix) -> (back: [HTML], front: HTML) {
    let back = (0..<2 + random.next(3)).map { _ -> HTML in
      let (x, radius) = (random.next(Self.width), 16 + random.next(18))
      return
        "<circle class=\"f-leaf\" cx=\"\(x)\" cy=\"\(Self.ground - radius / 2)\" r=\"\(radius)\" opacity=\".45\"/>"
    }
    let (x, radius) = (
      random.next(2) == 0 ? 18 + random.next(22) : 280 + random.next(22), 15 + random.next(10)
    )
    let front: HTML = """
      \(rect("f-bark", x - 2, Self.ground - 30, 4, 36))\
      <circle class="f-leaf" cx="\(x)" cy="\(Self.ground - 24 - radius)" r="\(radius)"/>\
      <ellipse class="f-leaf" cx="\(Self.width - x)" cy="\(Self.ground + 6)" rx="\(18 + random.next(14))" ry="8"/>
      """
    return (back, front)
  }
}

/// A sequence of numbers that depends on its seed alone (SplitMix64).
struct SplitMix {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  /// Creates a sequence; those of neighbouring seeds have nothing in common.
  init(seed: UInt64) { state = Self.mixed(seed &* Self.step) }

  /// Returns a number from 0 up to, but not including, the bound.
  mutating func next(_ bound: Int) -> Int {
    state &+= Self.step
    return Int(Self.mixed(state) % UInt64(max(1, bound)))
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
