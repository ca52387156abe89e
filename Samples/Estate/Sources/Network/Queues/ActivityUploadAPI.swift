import Switchyard

/// Reports the user's actions in batches; the log of actions sends it.
struct ActivityUploadAPI: API {
  static let endpoint = {
    var endpoint = Endpoint<NoParams>(.estate, "activity.add", method: .post, path: "/activity").compressed
    // The end of the app waits for the last upload.
    endpoint.options.timeouts.whole = .seconds(5)
    return endpoint
  }()
}
