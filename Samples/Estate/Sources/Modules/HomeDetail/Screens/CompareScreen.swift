import APIManagers
import TerminalScreens

/// The screen of several homes, one below the other in columns.
struct CompareScreen: TerminalScreen {
  let title = "Homes side by side"
  let lines: [String]

  /// Creates the screen of homes, each of which may be missing.
  init(_ numbers: [Int], _ homes: [Result<LoadedHome, any Error>]) {
    lines = zip(numbers, homes).map { number, home in
      Amounts.padded("#\(number)", to: 8) + Self.columns(of: home)
    }
  }

  private static func columns(of home: Result<LoadedHome, any Error>) -> String {
    switch home {
    case .success(let loaded): columns(of: loaded.home)
    case .failure(let error): "not loaded: \((error as? APIError)?.reason ?? "\(error)")"
    }
  }

  private static func columns(of home: Home) -> String {
    Amounts.padded("\(home.city) \(home.zip)", to: 26) + Amounts.padded(home.kind, to: 14)
      + Amounts.padded("\(home.beds) bd  \(home.baths) ba  \(home.sqft) sqft", to: 26)
      + Amounts.dollars(home.price)
  }
}
