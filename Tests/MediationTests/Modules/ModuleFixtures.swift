import Mediation
import Synchronization

/// A module with needs whose declarations are a closure.
struct NeedyModule: BusinessModule {
  let name: String
  let needs: [ModuleNeed]
  let declaring: @Sendable (inout RouteTable) -> Void

  init(
    _ name: String, needs: [ModuleNeed] = [],
    _ declaring: @escaping @Sendable (inout RouteTable) -> Void = { _ in }
  ) {
    self.name = name
    self.needs = needs
    self.declaring = declaring
  }

  func declare(into table: inout RouteTable) { declaring(&table) }
}

/// A thread-safe counter.
final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  @discardableResult func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Records the events of modules.
final class ModuleJournal: RouteObserver {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func observe(_ event: RouteEvent) {}

  func observe(_ event: ModuleEvent) {
    let line =
      switch event {
      case .delivered(let event, let entry):
        "\(entry.module) \(event.kind) \(entry.ownTime) \(entry.failure.map { "\($0)" } ?? "well")"
      case .loaded(let name, let module, let time): "loaded \(name) of \(module) \(time)"
      case .loadFailed(let name, let module, let error, let time):
        "failed \(name) of \(module) \(error) \(time)"
      case .released(let name): "released \(name)"
      }
    state.withLock { $0.append(line) }
  }
}

/// Returns the underlying error of `RouteError.failed`, or any other error.
func failure(_ operation: () async throws(RouteError) -> Void) async -> (any Error)? {
  do throws(RouteError) {
    try await operation()
    return nil
  } catch .failed(let error, _) {
    return error
  } catch {
    return error
  }
}
