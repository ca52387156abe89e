import ModuleScaffolding
import Testing

@Suite struct ModuleNameTests {
  @Test("A name of letters and digits is accepted", arguments: ["Offers", "A", "Offers2", "HomeDetail"])
  func accepted(text: String) throws {
    #expect(try ModuleName(text, taken: ["Listings", "OffersX"]).text == text)
  }

  @Test(
    "An invalid module name is refused with a reason",
    arguments: [
      ("", "is not a module name"), ("offers", "is not a module name"), ("My Offers", "is not a module name"),
      ("../Offers", "is not a module name"), ("Offers\"", "is not a module name"),
      ("Öffers", "is not a module name"),
      ("2Offers", "is not a module name"), (String(repeating: "A", count: 65), "is not a module name"),
      ("Network", "a module of Swift or the system"), ("FOUNDATION", "a module of Swift or the system"),
      ("Self", "a module of Swift or the system"), ("OffersRoutes", "ends in Routes"),
      ("OffersTests", "ends in Tests"), ("OffersModule", "ends in Module"),
      ("Listings", "already has 'Listings'"),
      ("LISTINGS", "already has 'Listings'"), ("Loans", "already has 'LoansRoutes'"),
    ])
  func refused(text: String, reason: String) throws {
    let fault = #expect(throws: ModuleName.Fault.self) {
      try ModuleName(text, taken: ["Listings", "LoansRoutes"])
    }
    #expect(try #require(fault).description.contains(reason), "\(String(describing: fault))")
  }
}
