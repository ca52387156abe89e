import Foundation
import HTTPServing
import HTTPTypes
import Synchronization

/// Endpoints that fail on purpose, for the sample app to show its errors.
struct DemoFaultRoutes {
  /// The time that `/v1/demo/slow` takes to answer.
  let delay: Duration
  let addresses: ListeningAddresses
  let now: @Sendable () -> Date
  let outage = DemoOutage()

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, "/v1/demo/slow") { [delay] _ in
      // The server cancels the task if the client leaves or the server stops.
      try await Task.sleep(for: delay)
      return try Answer.json(["answered_after_seconds": delay.components.seconds])
    }
    router.on(.get, "/v1/demo/away") { [outage, now] _ in
      guard outage.isMet(at: now()) else { return try Answer.json(["back": true]) }
      throw APIError(
        .serviceUnavailable, "away", "The server is back in two seconds.", fields: [.retryAfter: "1"])
    }
    router.on(.delete, "/v1/demo/addresses/{address}") { [addresses] _, address in
      try Answer.json(["addresses": try await addresses.stop(address)])
    }
    router.on(.put, "/v1/demo/addresses/{address}") { [addresses] _, address in
      try Answer.json(["addresses": try await addresses.start(address)])
    }
    router.on(.get, "/v1/demo/outdated") { _ in
      throw APIError(.upgradeRequired, "outdated", "This version of the app is no longer served.")
    }
    router.on(.get, "/v1/demo/maintenance") { _ in
      // A success by its status, as some services report their own maintenance.
      try Answer.json(["maintenance": true], fields: [.estateNotice: "maintenance"])
    }
    router.on(.get, "/v1/demo/broken-json") { _ in
      Answer(bytes: Array(#"{"total":866,"page":1,"houses":[{"id":1,"city":"SACRAM"#.utf8))
    }
    router.on(.get, "/v1/demo/error500") { _ in
      throw APIError(.internalServerError, "demo_failure", "This endpoint fails on purpose.")
    }
  }
}

extension HTTPField.Name {
  /// `Estate-Notice`: what the app should tell its user.
  // The literal is a legal name, so the fallback is never used.
  fileprivate static let estateNotice = HTTPField.Name("Estate-Notice") ?? .age
}

/// An outage of two seconds, which begins with the first request; the next one after it begins another.
final class DemoOutage: Sendable {
  private let end = Mutex<Date?>(nil)

  func isMet(at now: Date) -> Bool {
    end.withLock { end in
      guard let known = end else {
        end = now + 2
        return true
      }
      if now < known { return true }
      end = nil
      return false
    }
  }
}
