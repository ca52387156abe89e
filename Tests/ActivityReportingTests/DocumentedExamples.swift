#if SQLite
import ActivityReporting
import HTTPTypes
import Interception

/// The examples of the documentation, which `DocumentationTests` compares with these.
///
/// They are compiled only, because of their paths.
private enum DocumentedExamples {
  struct Account: Sendable { var id = "ann" }

  static func overview(_ pipeline: Pipeline, _ account: Account) async throws {
    let upload = ActivityUpload(
      Request(method: .post, authority: "log.example.com", path: "/activity"))
    let log = try ActivityLog(
      path: "/var/lib/estate/activity.sqlite", uploading: upload, over: pipeline
    ) { account.id }
    log.start()
    try await log.record("listing.opened", ["listing": "42", "position": 3])
  }

  static func log(_ pipeline: Pipeline, _ account: Account) async throws {
    let upload = ActivityUpload(
      Request(method: .post, authority: "log.example.com", path: "/activity"))
    let log = try ActivityLog(
      path: "/var/lib/estate/activity.sqlite", uploading: upload, over: pipeline
    ) { account.id }
    log.start()
    try await log.record("listing.opened", ["listing": "42"])
  }

  static func values() -> (ActivityEvent, ActivityUpload) {
    let event = ActivityEvent("listing.opened", ["listing": "42", "position": 3])
    let upload = ActivityUpload(
      Request(method: .post, authority: "log.example.com", path: "/activity"), batchCount: 50)
    return (event, upload)
  }
}
#endif
