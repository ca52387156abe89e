import Mediation

extension EstateShell {
  /// Opens the URLs that `readLine` returns, until it returns `nil` or "quit".
  public func interact(_ readLine: @Sendable () -> String?) async {
    say("Type a URL, such as estate://listings/house or estate://home/42, or back, routes or quit,")
    say("or root, dismiss or close for the screens, or background, foreground or memory for what the system")
    say("would report, or check URL, objects, release [NAME], or redirects revert or off.")
    while let line = readLine() {
      let words = line.split(whereSeparator: \.isWhitespace)
      switch words.first {
      case nil: continue
      case "quit", "exit": return
      case "back": back()
      case "root": perform(.popToRoot)
      case "dismiss": perform(.dismiss)
      case "close": perform(.closeAll)
      case "background": await deliver(.background)
      case "foreground": await deliver(.foreground)
      case "memory": await deliver(.memoryWarning)
      case "routes": for pattern in Self.patterns { say("  \(pattern)") }
      case "check": if words.count > 1 { check(String(words[1])) }
      case "objects": listObjects()
      case "release": releaseObjects(words.count > 1 ? String(words[1]) : nil)
      case "redirects" where words.last == "revert": redirects.revert()
      case "redirects" where words.last == "off": redirects.removeAll()
      case .some(let url): await open(String(url))
      }
    }
  }
}
