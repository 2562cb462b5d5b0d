package markdown

import "brenner/internal/artifact"

// matrix shows the predictions table.
func (v viewer) matrix() *matrixView {
	m := &matrixView{}
	for _, key := range v.keys {
		c := columnView{Key: v.tag(key), Dead: v.dead[key]}
		if it := v.items[key]; it != nil {
			c.Name = phrase(it.Title())
		}
		m.Columns = append(m.Columns, c)
	}
	for _, it := range v.artifact.Items(artifact.PredictionsTable) {
		row := rowView{ID: string(it.ID), Condition: prose(it.Text(artifact.Condition)), Killed: !it.Active()}
		for _, key := range v.keys {
			text, given := it.Map(artifact.Predictions).Get(key)
			row.Cells = append(row.Cells, cellView{prose(text), given, v.dead[key]})
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}
