import Switchyard

/// Counts the loads in flight, of all managers of the app.
@MainActor final class BusyIndicator: APIHooks {
  private var loading: Set<RequestID> = []
  /// The largest number of loads that were in flight at the same time.
  private(set) var peak = 0

  var count: Int { loading.count }

  func didSend(_ call: APICall) {
    loading.insert(call.request.id)
    peak = max(peak, count)
  }

  func didReceive(_ result: Result<APIResponse, APIError>, of manager: any APIManaging) {
    switch result {
    case .success(let response): loading.remove(response.request)
    case .failure(let error): if let request = error.request { loading.remove(request) }
    }
  }

  func didRelease(_ manager: ManagerIdentity, cancelling requests: [RequestID]) {
    loading.subtract(requests)
  }
}
