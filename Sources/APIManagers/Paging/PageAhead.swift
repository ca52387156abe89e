/// A page that is loaded ahead; releasing it cancels its request.
final class PageAhead<Item: Sendable>: Sendable {
  private let task: Task<PageContent<Item>, any Error>

  init(
    _ request: PageRequest, _ load: @escaping @Sendable (PageRequest) async throws -> PageContent<Item>
  ) {
    task = Task { try await load(request) }
  }

  deinit { task.cancel() }

  /// Returns the content as soon as it has been received.
  func content() async throws -> PageContent<Item> {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
