import APIManagers

/// An item of a list.
struct Row: Identifiable, Sendable, Hashable, ExpressibleByIntegerLiteral {
  let id: Int

  init(id: Int) { self.id = id }
  init(integerLiteral id: Int) { self.id = id }
}

/// An error of a loader.
struct PageFailure: Error, Equatable {
  var number = 0
}

/// Returns the page of a list of `total` rows that a server returns by offset.
func page(_ request: PageRequest, total: Int) -> PageContent<Row> {
  PageContent(
    (request.offset..<max(request.offset, min(total, request.offset + request.size))).map { Row(id: $0) },
    next: .total(total))
}

extension PageStart {
  /// The started request, or nil.
  var request: PageRequest? { if case .started(let request) = self { request } else { nil } }
}
