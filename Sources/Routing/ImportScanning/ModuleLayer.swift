/// A layer inside a business module, which is a folder of that name in the module's folder.
///
/// A layer may use itself and those before it: screens use services, and items use nothing else.
public enum ModuleLayer: String, Sendable, CaseIterable, Comparable {
  /// What is shown: values without behavior of their own.
  case items = "Items"
  /// What is kept: the items that the module holds, in memory or in a file.
  case dataCenter = "DataCenter"
  /// What is fetched: APIs, reformers, and the work on their results.
  case services = "Services"
  /// What shows.
  case screens = "Screens"

  /// Whether a layer is below another one.
  public static func < (one: ModuleLayer, other: ModuleLayer) -> Bool { one.level < other.level }

  /// The position from the bottom, starting at 0.
  var level: Int {
    switch self {
    case .items: 0
    case .dataCenter: 1
    case .services: 2
    case .screens: 3
    }
  }

  /// All folders, as a choice in a sentence.
  static let choice = "Items, DataCenter, Services or Screens"
}

/// Where a file is inside its module.
enum LayerPlace: Sendable, Hashable {
  /// In a layer's folder, or in a folder below it.
  case layer(ModuleLayer)
  /// Beside the folders of the layers.
  case root
  /// In another folder; the layer is the one that its name resembles, if there is one.
  case unknown(folder: String, meant: ModuleLayer?)

  /// Creates the place of a file, whose path is relative to the module's folder.
  init(of path: String) {
    let folders = path.split(separator: "/").dropLast()
    guard let folder = folders.first.map(String.init) else {
      self = .root
      return
    }
    if let layer = ModuleLayer(rawValue: folder) {
      self = .layer(layer)
    } else {
      let meant = ModuleLayer.allCases.first { Self.resembles(folder, $0.rawValue) }
      self = .unknown(folder: folder, meant: meant)
    }
  }

  /// The height above the lowest layer; a file beside the layers may use all of them.
  var level: Int {
    switch self {
    case .layer(let layer): layer.level
    case .root, .unknown: ModuleLayer.allCases.count
    }
  }

  /// The place in a sentence.
  var name: String {
    switch self {
    case .layer(let layer): layer.rawValue
    case .root: "the module's own file"
    case .unknown(let folder, _): folder
    }
  }

  /// Whether two names differ by at most two letters, apart from case and separators.
  private static func resembles(_ folder: String, _ layer: String) -> Bool {
    let typed = folder.lowercased().filter { $0.isLetter || $0.isNumber }
    let wanted = Array(layer.lowercased())
    guard (wanted.count - 2...wanted.count + 2).contains(typed.count) else { return false }
    var row = Array(0...wanted.count)
    for (index, letter) in typed.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for position in wanted.indices {
        let replaced = diagonal + (wanted[position] == letter ? 0 : 1)
        diagonal = row[position + 1]
        row[position + 1] = min(replaced, row[position] + 1, row[position + 1] + 1)
      }
    }
    return (row.last ?? 0) <= 2
  }
}
