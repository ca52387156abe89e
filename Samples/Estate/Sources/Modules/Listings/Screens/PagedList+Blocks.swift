import APIManagers
import AccountRoutes
import Screens

extension PagedList<HomeItem> {
  /// The list as a part of a screen: the homes, how many there are, and what failed.
  @MainActor func blocks(_ marks: (any FavouriteMarking)?) -> [ContentBlock] {
    var blocks: [ContentBlock] = []
    if !items.isEmpty {
      let cards = items.map { $0.card(mark: marks?.mark(of: $0.id) ?? .absent) }
      let more = ScreenAction.perform("Show more homes", "estate://browse/more", sign: ActionSign.more)
      let comparison = ScreenAction.show(
        "Compare", "estate://compare", fields: [.text("homes", label: "Homes")])
      blocks.append(
        .cards(
          cards, more: isLastPage || failure != nil ? nil : more, selection: comparison, maximum: 8))
    }
    if let total {
      blocks.append(
        .text(
          total == 0
            ? "No home matches; ask for less." : "\(items.count) of \(total) homes, page \(pageCount)"))
    }
    if repeatedCount > 0 {
      blocks.append(
        .text("The list has changed meanwhile; homes received twice and shown once: \(repeatedCount)"))
    }
    if isLastPage, total != 0 { blocks.append(.text("This is the last page.")) }
    if let failure {
      let reason = (failure as? APIError)?.reason ?? "\(failure)"
      blocks.append(
        .failure("Not loaded: \(reason)", action: .perform("Try again", "estate://browse/more")))
    }
    return blocks
  }

  /// The number of homes that a later page had again, because homes were added to the list meanwhile.
  ///
  /// The server fills every page but the last one.
  private var repeatedCount: Int {
    guard let total else { return 0 }
    return max(0, min(pageCount * HomeList.pageSize, total) - items.count)
  }
}
