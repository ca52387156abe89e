import APIManagers
import Interception
import SwitchyardTesting

/// A delegate that records every delivery, in order.
@MainActor final class Listener: APIManagerDelegate {
  struct Delivery {
    let manager: ManagerIdentity
    let result: Result<APIResponse, APIError>

    var request: RequestID? {
      switch result {
      case .success(let response): response.request
      case .failure(let failure): failure.request
      }
    }

    var failure: APIError? {
      if case .failure(let failure) = result { failure } else { nil }
    }
  }

  private(set) var deliveries: [Delivery] = []
  private let count = WaitableValue(0)
  /// An additional action on each delivery.
  var onDelivery: ((any APIManaging) -> Void)?

  func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse) {
    take(Delivery(manager: manager.identity, result: .success(response)), manager)
  }

  func managerDidFail(_ manager: any APIManaging, with failure: APIError) {
    take(Delivery(manager: manager.identity, result: .failure(failure)), manager)
  }

  /// Returns when at least `count` deliveries have arrived.
  func wait(for count: Int, fileID: String = #fileID, line: Int = #line) async throws {
    try await self.count.wait(fileID: fileID, line: line) { $0 >= count }
  }

  private func take(_ delivery: Delivery, _ manager: any APIManaging) {
    MainActor.assertIsolated()
    deliveries.append(delivery)
    onDelivery?(manager)
    count.update { $0 += 1 }
  }
}

/// Lets the jobs queued on the main actor run, so that a superfluous delivery would be recorded.
@MainActor func letOthersRun() async {
  for _ in 0..<50 { await Task.yield() }
}
