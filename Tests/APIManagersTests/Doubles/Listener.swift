import APIManagers
import Interception

/// A delegate that remembers every delivery, in order.
@MainActor final class Listener: APIManagerDelegate {
  struct Delivery {
    let manager: ManagerIdentity
    let result: Result<RawAnswer, APIFailure>

    var request: RequestID? {
      switch result {
      case .success(let answer): answer.request
      case .failure(let failure): failure.request
      }
    }

    var failure: APIFailure? {
      if case .failure(let failure) = result { failure } else { nil }
    }
  }

  private(set) var deliveries: [Delivery] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  /// What the delegate does besides.
  var onDelivery: ((any APIManaging) -> Void)?

  func managerDidSucceed(_ manager: any APIManaging, with answer: RawAnswer) {
    take(Delivery(manager: manager.identity, result: .success(answer)), manager)
  }

  func managerDidFail(_ manager: any APIManaging, with failure: APIFailure) {
    take(Delivery(manager: manager.identity, result: .failure(failure)), manager)
  }

  /// Returns once this many deliveries have come.
  func wait(for count: Int) async {
    guard deliveries.count < count else { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }

  private func take(_ delivery: Delivery, _ manager: any APIManaging) {
    MainActor.assertIsolated()
    deliveries.append(delivery)
    onDelivery?(manager)
    let satisfied = watchers.filter { $0.count <= deliveries.count }
    watchers.removeAll { $0.count <= deliveries.count }
    for watcher in satisfied { watcher.continuation.resume() }
  }
}

/// Gives whatever is queued on the main actor its turn, so that a delivery too many would be seen.
@MainActor func letOthersRun() async {
  for _ in 0..<50 { await Task.yield() }
}
