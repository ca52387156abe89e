import Mediation

extension EstateShell {
  /// Opens the URLs that `readLine` returns, until it returns `nil` or "quit".
  public func interact(_ readLine: @Sendable () -> String?) async {
    say("Type a URL, such as estate://listings/house or estate://home/42, or back, routes or quit,")
    say("or background, foreground or memory for what the system would report.")
    while let line = readLine() {
      let words = line.split(whereSeparator: \.isWhitespace)
      switch words.first {
      case nil: continue
      case "quit", "exit": return
      case "back": back()
      case "background": await deliver(.background)
      case "foreground": await deliver(.foreground)
      case "memory": await deliver(.memoryWarning)
      case "routes": for pattern in Self.patterns { say("  \(pattern)") }
      case .some(let url): await open(String(url))
      }
    }
  }
}
