import APIManagers
import TerminalScreens

extension PagedList<HomeItem> {
  /// The number of homes that are shown, the last ones.
  private static var visible: Int { 10 }

  /// The list as lines of text: the last homes, how many there are, and what failed.
  var lines: [String] {
    var lines = items.suffix(Self.visible).map(\.line)
    if items.count > Self.visible { lines.insert("… and \(items.count - Self.visible) above", at: 0) }
    if let total {
      lines.append(
        total == 0
          ? "No home matches; ask for less." : "\(items.count) of \(total) homes, page \(pageCount)")
    }
    if repeatedCount > 0 {
      lines.append("The list has changed meanwhile; homes received twice and shown once: \(repeatedCount)")
    }
    if isLastPage { lines.append("This is the last page.") }
    if let failure {
      lines.append("Not loaded: \((failure as? APIError)?.reason ?? "\(failure)")")
      lines.append("Say estate://browse/more to try again.")
    }
    return lines
  }

  /// The number of homes that a later page had again, because homes were added to the list meanwhile.
  ///
  /// The server fills every page but the last one.
  private var repeatedCount: Int {
    guard let total else { return 0 }
    return max(0, min(pageCount * HomeList.pageSize, total) - items.count)
  }
}
