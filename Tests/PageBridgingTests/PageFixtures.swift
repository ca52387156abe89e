import Mediation
import MediationFixtures
import PageBridging
import SwitchyardTesting
import Synchronization

/// A price that pages of the app's own site may request.
struct QuoteRoute: Route {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://quote/{id:int}?note={note?}"
  static let exposure: Exposure = .link([.web(host: "estate.example")])
  let id: Int
  let note: String?
  init(from input: RouteInput) throws(RouteError) {
    id = try input.value("id")
    note = try input.optional("note")
  }
  func write(to output: inout RouteOutput) {
    output.set("id", to: id)
    output.set("note", to: note)
  }
}

/// A route that is exposed to the same pages but not listed.
struct UnlistedRoute: Route {
  typealias Output = Int
  static let pattern: RoutePattern = "estate://unlisted/{id:int}"
  static let exposure: Exposure = .link([.web(host: "estate.example")])
  init(from input: RouteInput) throws(RouteError) { _ = try input.value("id", as: Int.self) }
  func write(to output: inout RouteOutput) {}
}

/// A route that is listed but not exposed to pages.
struct InnerRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://inner"
}

struct ShareRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://share"
  static let exposure: Exposure = .link([.web(host: "estate.example")])
}

/// Records the replies that a page receives.
final class Page: Sendable {
  private let state = Mutex<[PageReply]>([])
  var replies: [PageReply] { state.withLock { $0 } }
  func take(_ reply: PageReply) { state.withLock { $0.append(reply) } }
  func last(_ id: String) async throws -> PageReply.Event? {
    func find() -> PageReply? {
      replies.first {
        if case .progress = $0.event { return false }
        return $0.id == id
      }
    }
    try await waitUntil("the page has a last reply to \(id)") { find() != nil }
    return find()?.event
  }
}

extension Gate {
  /// Returns once the task is cancelled.
  static func cancelled() async {
    let gate = Gate()
    await withTaskCancellationHandler {
      await gate.wait()
    } onCancel: {
      gate.open()
    }
  }
}
