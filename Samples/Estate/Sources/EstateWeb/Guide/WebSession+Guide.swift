import EstateApp
import WebPages

extension WebSession {
  func showGuide(at port: UInt16) { guidePort = port }

  /// Returns the page around the guide, and downloads its package for the time without a network; `nil` if
  /// there is no guide.
  func openGuide() -> GuidePage? {
    guard let guidePort, let pages = shell.pages else { return nil }
    if let fault = pages.store.fault { shell.say("  · the guide's package is not used: \(fault)") }
    Task {
      if let fault = await pages.update() { shell.say("  · the guide was not updated: \(fault)") }
    }
    return GuidePage(port: guidePort, member: shell.memberName)
  }
}
