import EstateApp
import EstateServer
import Screens

/// Whether a step ended as it may, judged by the listings that the server has.
struct ScreenJudge {
  /// The labels of errors that a killed server, a lost address, no network, a full disk or an impatient user
  /// explain.
  private static let explained: Set<String> = [
    "cancelled", "connect", "needs_login", "offline", "refused_by_guard", "status_502", "timeout_connect",
    "transport",
  ]

  /// Labels that are explained only by their text.
  private static let explanations = [
    ("rejected", "several in a row failed"), ("rejected", "The token endpoint responded with status 502"),
    ("QueueError", "the disk is full"), ("DeploymentError", "No space left on device"),
    ("DeploymentError", "the device's clock is at"),
  ]

  let listings: Listings

  /// Judges a step by its result and what the top screen shows.
  func verdict(on step: UserStep, _ result: StepResult, _ text: String?, showing content: ScreenContent?)
    -> SoakMessage.Ending
  {
    if case .failed(let label) = result {
      let isExplained =
        Self.explained.contains(label)
        || Self.explanations.contains { $0 == label && text?.contains($1) == true }
      // The server starts a proxy for the address, for which it writes to the disk that is filled.
      if case .address = step, label == "status_500" { return .failed(label) }
      // The server was killed between its publication and the request for it.
      if case .deployment = step, label == "status_404" { return .failed(label) }
      return isExplained ? .failed(label) : .wrong("\(label): \(text ?? "")")
    }
    guard step.showsHomes else { return .right }
    guard let content else { return .wrong("no screen is shown") }
    switch step {
    case .home(let id): return verdict(onHome: id, content)
    case .compare(let ids): return verdict(onComparison: ids, content)
    case .homes(let city), .browse(let city): return verdict(onCards: content, city: city)
    default: return verdict(onCards: content, city: nil)
    }
  }

  private func verdict(onHome id: Int, _ content: ScreenContent) -> SoakMessage.Ending {
    guard let home = listings.home(id) else { return .wrong("there is no home \(id)") }
    let title = "Home #\(id), \(home.city) \(home.zip)"
    guard content.title == title else { return .wrong("'\(content.title)' instead of '\(title)'") }
    let hasPrice = content.blocks.contains { block in
      if case .text(let text) = block { text.hasPrefix(Amounts.dollars(home.price)) } else { false }
    }
    return hasPrice ? .right : .wrong("the price of home \(id) is not shown")
  }

  private func verdict(onComparison ids: [Int], _ content: ScreenContent) -> SoakMessage.Ending {
    for comparison in content.blocks.compactMap({ $0.own as? Comparison }) {
      guard comparison.subjects.map(\.name) == ids.map({ "#\($0)" }) else { break }
      for (id, subject) in zip(ids, comparison.subjects) where subject.failure == nil {
        guard let home = listings.home(id), subject.values.contains(Amounts.dollars(home.price)) else {
          return .wrong("home \(id) is compared with the values of another one: \(subject.values)")
        }
      }
      return .right
    }
    return .wrong("'\(content.title)' is not the comparison of \(ids)")
  }

  private func verdict(onCards content: ScreenContent, city: String?) -> SoakMessage.Ending {
    var ids: Set<Int> = []
    for case .cards(let cards, _, _, _) in content.blocks {
      for card in cards {
        guard let home = Int(card.id).flatMap(listings.home), card.price == Amounts.dollars(home.price) else {
          return .wrong("the card of home \(card.id) shows \(card.price ?? "no price")")
        }
        guard city == nil || home.city == city else {
          return .wrong("home \(card.id) of \(home.city) is listed in \(city ?? "")")
        }
        guard ids.insert(home.id).inserted else { return .wrong("home \(card.id) is listed twice") }
      }
    }
    return ids.isEmpty ? .wrong("'\(content.title)' lists no home") : .right
  }
}
