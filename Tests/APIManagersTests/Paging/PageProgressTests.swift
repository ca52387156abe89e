import Testing

@testable import APIManagers

@Suite struct PageProgressTests {
  func progress(_ limits: PageLimits = PageLimits()) -> PageProgress<Int> {
    PageProgress(size: 2, limits: limits)
  }

  /// Returns the error with which a page is refused, after checking that it left the position unchanged.
  func fault(
    _ progress: inout PageProgress<Int>, _ items: [Row], _ next: NextPage
  ) throws -> PagingError? {
    let before = try progress.next()
    do throws(PagingError) {
      _ = try progress.accept(PageContent(items, next: next))
      return nil
    } catch {
      #expect(try progress.next() == before)
      return error
    }
  }

  @Test("A page that repeats the one before twice is an error, unless the server reports that it is the last")
  func repeatedPage() throws {
    var progress = progress()
    #expect(try progress.accept(PageContent([1, 2] as [Row], next: .exists(true))) == [1, 2])
    #expect(try progress.accept(PageContent([1, 2] as [Row], next: .exists(true))).isEmpty)
    #expect(try fault(&progress, [1, 2], .exists(true)) == .repeatedPage(number: 3))
    #expect(try fault(&progress, [2, 1], .whileFull) == .repeatedPage(number: 3))
    #expect(try fault(&progress, [1, 2], .cursor("x")) == .repeatedPage(number: 3))
    #expect(try fault(&progress, [1, 2], .total(9)) == .repeatedPage(number: 3))
    #expect(try fault(&progress, [1, 2], .exists(false)) == nil)
    #expect(progress.isComplete)
  }

  @Test("A list that grows at its head between two pages is loaded completely", arguments: 1...6)
  func growingList(growth: Int) throws {
    var progress = progress()
    var (feed, next) = (Array(0..<20), 20)
    var items: [Int] = []
    while let request = try progress.next() {
      let page = feed.dropFirst(request.offset).prefix(2).map { Row(id: $0) }
      items += try progress.accept(PageContent(page, next: .whileFull)).map(\.id)
      if request.index == 4 {
        feed = (next..<next + growth).reversed() + feed
        next += growth
      }
    }
    // The new items are before those that were loaded.
    #expect(items == Array(0..<20))
  }

  @Test("A list whose pages are repeated in a circle ends, after each page was seen a second time")
  func circle() throws {
    var progress = progress()
    for page in 0..<6 { #expect(try fault(&progress, [Row(id: page % 3)], .exists(true)) == nil) }
    #expect(try fault(&progress, [0], .exists(true)) == .repeatedPage(number: 7))
  }

  @Test("A cursor that was used before is an error, whatever the length of the loop", arguments: [1, 2, 5])
  func cursorLoop(length: Int) throws {
    var progress = progress()
    for index in 0..<length {
      #expect(try fault(&progress, [Row(id: index)], .cursor("c\(index)")) == nil)
      #expect(try progress.next()?.cursor == "c\(index)")
    }
    // Empty pages, too, are recognized.
    #expect(try fault(&progress, [], .cursor("c0")) == .repeatedCursor(number: length + 1))
    #expect(try fault(&progress, [99], .cursor("c0")) == .repeatedCursor(number: length + 1))
    #expect(try fault(&progress, [99], .cursor("new")) == nil)
  }

  @Test("The number of pages is limited, also of empty ones")
  func pageLimit() throws {
    var progress = progress(PageLimits(pages: 3))
    for index in 0..<3 { #expect(try fault(&progress, [], .cursor("\(index)")) == nil) }
    #expect(throws: PagingError.tooManyPages(limit: 3)) { try progress.next() }
  }

  @Test("The last page within the limit of pages is no error")
  func exactPageLimit() throws {
    var progress = progress(PageLimits(pages: 1))
    #expect(try fault(&progress, [1], .exists(false)) == nil)
    #expect(try progress.next() == nil)
  }

  @Test("The number of items is limited, and a page that exceeds the limit is not accepted")
  func itemLimit() throws {
    var progress = progress(PageLimits(items: 3))
    #expect(try fault(&progress, [1, 2], .exists(true)) == nil)
    #expect(try fault(&progress, [3, 4], .exists(true)) == .tooManyItems(limit: 3))
    #expect(try fault(&progress, [3], .exists(true)) == nil)
  }

  @Test("A cursor that is too long and a negative total are errors that don't show the cursor")
  func invalidReports() throws {
    var progress = progress(PageLimits(cursorLength: 4))
    let error = try #require(try fault(&progress, [1], .cursor("secret")))
    #expect(error == .cursorTooLong(limit: 4))
    #expect(!"\(error)".contains("secret"))
    #expect(try fault(&progress, [1], .total(-1)) == .invalidTotal(-1))
    #expect(try fault(&progress, [1], .cursor("four")) == nil)
  }

  @Test("Limits below 1 are raised to 1")
  func smallestLimits() {
    let limits = PageLimits(pages: 0, items: -1, cursorLength: 0)
    #expect((limits.pages, limits.items, limits.cursorLength) == (1, 1, 1))
  }
}
