extension PagedItems {
  /// The pages of a list as an asynchronous sequence; see ``PagedItems/pages``.
  public struct Pages: AsyncSequence, Sendable {
    /// The items of a page.
    public typealias Element = [Item]

    let progress: PageProgress<Item.ID>
    let looksAhead: Bool
    let load: Load

    /// Starts with the first page.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(progress: progress, looksAhead: looksAhead, load: load)
    }

    /// Returns the pages one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var progress: PageProgress<Item.ID>
      let looksAhead: Bool
      let load: Load
      var ahead: PageAhead<Item>?
      var hasFailed = false

      /// Loads the next page that has items; nil at the end.
      ///
      /// - Throws: The loader's error, or a ``PagingError``.
      public mutating func next() async throws -> [Item]? {
        guard !hasFailed else { return nil }
        do {
          while let request = try progress.next() {
            let content: PageContent<Item>
            if let ahead {
              self.ahead = nil
              content = try await ahead.content()
            } else {
              content = try await load(request)
            }
            let items = try progress.accept(content)
            guard !items.isEmpty else { continue }
            // An error of the next page's bounds is thrown when that page is requested.
            if looksAhead, let next = try? progress.next() { ahead = PageAhead(next, load) }
            return items
          }
          return nil
        } catch {
          hasFailed = true
          throw error
        }
      }
    }
  }
}
